"""The page as static files, for any host: `satdoku web --build FOLDER`.

Python in the browser is Pyodide's core. What satdoku imports is packed beside it: its own modules and its pure
dependencies as they are installed here, the wheels of the others that PyPI has for WebAssembly, and the kernels, the
same object code as in the library, compiled for wasm32. What is downloaded is the same everywhere: its SHA-256 digest
stands here. The modules that are loaded at the start are compiled, if node is here to run Pyodide: a browser does not
keep what it compiles, so that each visit would wait for it.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import tarfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from satdoku.errors import InputError
from satdoku.kernels import library
from satdoku.system.files import write_whole
from satdoku.version import __version__
from satdoku.web.browser.archives import packed
from satdoku.web.files import PICTURES, TEXT, forms
from satdoku.web.kinds import kind_records

PACKAGE, HERE = Path(__file__).parents[2], Path(__file__).parent
KERNELS = Path(
    "build", "libraries", "wasm32", "satdoku.kernels.wasm"
)  # in a checkout; a wheel has them beside this file
MADE_BY = "python -m satdoku.kernels.build --target wasm32 -o build/libraries"
ARCHIVES = ("packages.zip", "python_stdlib.zip")  # of Python's modules, in the folder `python`
PATIENCE = 60.0  # seconds that a download may stand still
PAGE = "index.html"
LAST = (PAGE, "service.js")  # written when what they name is there
NOT_NEEDED = ("bench", "commands", "testing", "web/static")  # of satdoku's own modules
OF_BOARD = tuple(PICTURES)  # files that the page makes of its board: matplotlib is not there
LINK = {"form": "link", "media": TEXT, "suffix": "txt", "summary": "of this page, with unfinished marks", "link": True}
PURE = ("defusedxml", "future", "lzstring", "six", "tomli")  # packages without compiled code, as they are here
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
HEAD_TAGS = f"""  <meta http-equiv="Content-Security-Policy" content="{POLICY}">
  <meta name="referrer" content="no-referrer">
  <link rel="manifest" href="manifest.webmanifest">
"""
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Download:
    """A file of a registry. wanted: the beginnings of names in it that are taken"""

    address: str
    digest: str
    wanted: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.address.rpartition("/")[2]


FILES = "https://files.pythonhosted.org/packages"
PYODIDE = Download(
    "https://registry.npmjs.org/pyodide/-/pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
)
WHEELS = (
    Download(
        f"{FILES}/75/5d/c0e6bdb81a87f6bd56a663a330c271af7670490c80d8d635d9fa21ad1adf/"
        "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
        ("msgspec",),
    ),
    Download(
        f"{FILES}/18/ae/ffea0d0115a34b40dd76c230481d56ff8e69a38597cda951e4ca91cb72ff/"
        "python_sat-1.9.dev24-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        "621b06b68cbd46c4862f6fa1872f506c982cb7e4635235f9ae0749de0564a03d",
        ("pysolvers", "pycard", "pyformula", "pysat", "python_sat-1.9.dev24.dist-info"),
    ),
)


def build(folder: Path, packages: Path, say: Say) -> None:
    """Write the site into a folder, which is made if need be; other files in it stay.

    packages: a folder with the downloads; what is not there yet is downloaded into it

    Raises InputError for a download that fails or has other contents, and without kernels for WebAssembly.
    """
    kernels = compiled()
    site = {
        PAGE: page().encode(),
        "manifest.webmanifest": (HERE / "manifest.webmanifest").read_bytes(),
        "kinds.json": json.dumps(kind_records()).encode(),
        "forms.json": json.dumps([{**form, "board": form["form"] in OF_BOARD} for form in (*forms(), LINK)]).encode(),
        "start.json": json.dumps({"puzzle": None, "note": "", "version": __version__}).encode(),
        "python/start.mjs": (HERE / "start.mjs").read_bytes(),
        "python/worker.js": (HERE / "worker.js").read_bytes(),
        "python/channel.js": (HERE / "channel.js").read_bytes(),
    }
    static = PACKAGE / "web" / "static"
    site |= {f"static/{file.name}": file.read_bytes() for file in sorted(static.iterdir()) if file.name != PAGE}
    site |= {"static/server.js": (HERE / "page.js").read_bytes(), "static/links.js": (HERE / "links.js").read_bytes()}
    for name, content in _tar(_had(PYODIDE, packages, say), PYODIDE.wanted):
        site[f"python/{name}"] = _core_alone(content) if name == "pyodide-lock.json" else content
    wheels = [pair for wheel in WHEELS for pair in _wheel(_had(wheel, packages, say), wheel.wanted)]
    own = [*_own(), (f"satdoku/kernels/{library.NAMES['linux']}", kernels)]
    site["python/packages.zip"] = packed([*own, *(pair for name in PURE for pair in _installed(name)), *wheels])
    site |= _compiled(site, say)
    service = (HERE / "service.js").read_text("utf-8").replace("@POLICY@", POLICY)
    contents = [*(site[name] for name in sorted(site)), service.encode()]
    edition = sha256(b"".join(sha256(content).digest() for content in contents)).hexdigest()[:16]
    names = json.dumps(sorted(site))
    site["service.js"] = service.replace("@EDITION@", edition).replace('["@FILES@"]', names).encode()
    for name in sorted(site, key=lambda name: name in LAST):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, site[name])
    size = sum(map(len, site.values()))
    say(f"{len(site)} files, {size / 1e6:.1f} MB, in {folder}: serve it, for instance by python -m http.server")


def page() -> str:
    """The page, with the policy that a server's headers would state."""
    text, mark = (PACKAGE / "web" / "static" / PAGE).read_text("utf-8"), '  <meta charset="utf-8">\n'
    return text.replace(mark, mark + HEAD_TAGS, 1)


def compiled() -> bytes:
    """The kernels for WebAssembly; raises InputError if there are none that were made from these sources."""
    places = (HERE / KERNELS.name, PACKAGE.parent / KERNELS)
    path = next((place for place in places if place.exists()), None)
    if path is None or library.sources().encode() not in (content := path.read_bytes()):
        what = f"there is no {places[1]}" if path is None else f"{path} was made from other sources"
        raise InputError(f"the kernels for WebAssembly: {what}; `{MADE_BY}` makes them, with numba and ziglang")
    return content


def _compiled(site: dict[str, bytes], say: Say) -> dict[str, bytes]:
    """The archives of a site with compiled modules, which Pyodide's Python makes in node; none without node."""
    node = shutil.which("node")
    failed = "there is no node"
    if node is not None:
        with TemporaryDirectory() as folder:
            for name, content in site.items():
                if name.startswith("python/"):
                    Path(folder, name.removeprefix("python/")).write_bytes(content)
            done = subprocess.run([node, HERE / "compile.mjs", folder], capture_output=True, encoding="utf-8")
            if not done.returncode:
                return {f"python/{name}": Path(folder, name).read_bytes() for name in ARCHIVES}
            failed = f"node failed: {(done.stderr.strip() or str(done.returncode)).splitlines()[-1]}"
    say(f"modules are compiled at each visit, which takes longer: {failed}")
    return {}


def _had(download: Download, packages: Path, say: Say) -> bytes:
    """The content of a download, from the folder of packages if it is there."""
    file = packages / download.name
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        say(f"downloading {download.address}")
        try:
            with urllib.request.urlopen(download.address, timeout=PATIENCE) as answer:
                content = answer.read()
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise InputError(f"{download.address}: {reason}; put the file into {packages}, or try again") from None
    if sha256(content).hexdigest() != download.digest:
        raise InputError(f"{download.name}: not the file that was tested, whose SHA-256 digest is {download.digest}")
    packages.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        write_whole(file, content)
    return content


def _tar(content: bytes, wanted: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name in wanted:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, name
            yield name, member.read()


def _wheel(content: bytes, wanted: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            if name.startswith(wanted) and not name.endswith("/"):
                yield name, archive.read(name)


def _core_alone(content: bytes) -> bytes:
    """The list of Pyodide's packages without packages: none of them is loaded."""
    return json.dumps({**json.loads(content), "packages": {}}).encode()


def _own() -> Iterator[tuple[str, bytes]]:
    """satdoku's modules, and what they read."""
    for file in sorted(PACKAGE.rglob("*")):
        name = file.relative_to(PACKAGE).as_posix()
        if file.suffix in (".py", ".pyi", ".typed", ".json", ".txt") and not name.startswith(NOT_NEEDED):
            yield f"satdoku/{name}", file.read_bytes()


def _installed(name: str) -> Iterator[tuple[str, bytes]]:
    """The modules of a package that is installed here."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise InputError(f"needs the package {name}, which is not installed")
    origin = Path(spec.origin)
    if not spec.submodule_search_locations:
        yield origin.name, origin.read_bytes()
        return
    for file in sorted(origin.parent.rglob("*.py")):
        inside = file.relative_to(origin.parent).as_posix()
        if not inside.startswith(("tests/", "backports/", "moves/")):
            yield f"{name}/{inside}", file.read_bytes()
