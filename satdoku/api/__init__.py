"""The public functions of the package, by what they are about; `satdoku` itself offers them all."""
