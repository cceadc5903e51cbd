# SPDX-License-Identifier: MIT
"""Chromium without a window, driven over a pipe by its DevTools protocol: nothing but the standard library."""
import base64
import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--remote-debugging-pipe"]


class Browser:
    """One page. `messages` collects errors and warnings of its console, and what failed to load."""

    def __init__(self, program="chromium", seconds=600):
        # A process of the browser's may still write into it: what it leaves behind is no failure.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        # The protocol wants descriptors 3 and 4.
        command = f"exec 3<&{to_read} 4>&{to_write}; exec \"$@\""
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", program, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.seconds, self.buffer, self.number, self.session = seconds, b"", 0, None
        self.messages, self.events = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.folder.cleanup()

    def _message(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.from_browser, 1 << 16)
            if not more:
                raise RuntimeError("the browser ended")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.messages.append("exception: " + json.dumps(parameters["exceptionDetails"])[:400])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.messages.append("log: " + parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.messages.append("console: " + json.dumps(parameters["args"])[:400])
        elif method == "Network.loadingFailed":
            self.messages.append("not loaded: " + parameters.get("errorText", ""))
        elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:")):
            self.messages.append("asked the network: " + parameters["request"]["url"])
        else:
            self.events.append(method)

    def call(self, method, **parameters):
        """One command; its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.seconds
        while True:
            answer = self._message(deadline)
            if answer.get("id") != self.number:
                self._note(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def open(self, path):
        """A file, with everything that it loads."""
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.monotonic() + self.seconds
        while "Page.loadEventFired" not in self.events:
            self._note(self._message(deadline))

    def run(self, script):
        """The value of an expression, promises awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def size(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def colours(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path, **parameters):
        with open(path, "wb") as stream:
            stream.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", **parameters)["data"]))

    def printed(self):
        """The page as a PDF."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])
