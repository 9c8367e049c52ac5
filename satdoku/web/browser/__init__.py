"""The page without a server: what answers it runs in the browser, by Python in WebAssembly. `site` makes the files.

`page.js` takes the place of `static/server.js`: requests and the socket go to `worker.js`, which runs Python, and there
to `Browser`. `service.js` keeps the files, so that the page opens without a network.
"""
