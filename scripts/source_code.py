# SPDX-License-Identifier: MIT
"""What C and C++ text says, without a compiler: its code without comments, what it includes, and which of the project's files it
comes to call. For scripts that make hashes of sources."""
import hashlib
import re

SOURCES, HEADERS = (".c", ".cc", ".cpp", ".cu"), (".h", ".hh", ".hpp")

# A literal stays as it is. So does the mark of a site, which decides what a GPU's counters are read for.
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|// site: \w+)|//[^\n]*|/\*.*?\*/', re.DOTALL)
LITERAL = re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
LIBRARY = re.compile(r"^\s*#\s*include\s*(<[^>]+>)", re.MULTILINE)
WRAPPER = re.compile(r'(?:extern\s*"C"|\bnamespace\b[\w\s:]*)\s*\{')
DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
DEFINE = re.compile(r"#\s*define\s+(\w+)")
TYPE = re.compile(r"(?:struct|union|enum)(?:\s+\w+)?\s*$")
VARIABLE = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")


def tidy(code):
    """Code with one blank for any blank space outside literals, and none beside brackets, commas and semicolons."""
    parts = LITERAL.split(code)
    for i in range(0, len(parts), 2):
        text = " ".join(parts[i].split())
        for mark in "([{":
            text = text.replace(mark + " ", mark)
        for mark in ")]},;":
            text = text.replace(" " + mark, mark)
        parts[i] = text
    return "".join(parts)


def without_comments(text):
    return COMMENT.sub(lambda found: found.group(1) or " ", text.replace("\\\n", " "))


def strip(text):
    """Code without comments and blank space; directives keep their lines."""
    parts = re.split(r"^([ \t]*#[^\n]*)$", without_comments(text), flags=re.MULTILINE)
    return "".join(f"\n{tidy(part)}\n" if i % 2 else tidy(part) for i, part in enumerate(parts)).strip()


def words(text):
    return set(re.findall(r"[A-Za-z_]\w*", text))


def blanked(pattern, text):
    return pattern.sub(lambda found: " " * len(found.group()), text)


def pieces(text):
    """(start, end, head, whether it is a function) of what stands outside all braces, a definition or a declaration each. The head
    is what comes before the braces or the '='; behind the braces of a type another begins."""
    depth = start = begin = 0
    head = None
    for found in re.finditer(r"[{}();=]", text):
        mark, at = found.group(), found.start()
        if depth == 0 and head is None and mark in "{=;":
            head = text[begin:at]
            open_by = mark
        depth = max(depth + (mark in "({") - (mark in ")}"), 0)
        if depth or mark not in "};":
            continue
        if mark == "}" and open_by == "{" and TYPE.search(head):
            begin, head = at + 1, None
        elif mark == ";" or open_by == "{":
            yield start, at + 1, head, mark == "}"
            start = begin = at + 1
            head = None


def name_of(head, function):
    """The name that is defined; None of a declaration, a type, and what is not understood."""
    if pointer := re.match(r"[^(]*\(\s*\*[\s\w*]*?(\w+)\s*(?:\[[^\]]*\]\s*)*\)\s*\(", head if not function else ""):
        return pointer.group(1)
    head, name = re.sub(r"\((\w+)\)(?=\s*\()", r" \1", head), None # bool(error_set)(...), a function that is a macro too
    while "(" in head and head != (head := re.sub(r"\([^()]*\)", "@", head)):
        name = (re.findall(r"(\w+)\s*@", head) or [name])[-1]
    if function or "@" in head or TYPE.search(head):
        return name if function else None
    found = VARIABLE.search(head.strip())
    return found and found.group(1)


def definitions(text):
    """{name: (whether other files see it, words of its body)} of the functions, variables and macros in C code without comments; of a
    header others see all. The words of directives belong to the definition around them. Those outside of all, and what is no
    declaration but has no name that is understood, such as a macro that defines a variant, belong to every one, and to the name ""."""
    text = blanked(WRAPPER, LITERAL.sub(lambda found: '"' + "_" * (len(found.group()) - 2) + '"', text))
    directives = [(found.start(), found.group()) for found in DIRECTIVE.finditer(text)]
    blank, found, inner, loose, last = blanked(DIRECTIVE, text), {}, set(), set(), 0
    for start, end, head, function in pieces(blank):
        last, piece = end, blank[start:end]
        start += len(head) - len(head.lstrip())
        within = [line for at, line in directives if start < at < end]
        inner.update(within)
        body = words(piece + " ".join(within))
        name = name_of(head, function)
        if not name and (function or "=" in piece or re.match(r"\s*\w+\s*\(", head)):
            loose |= body
        elif name and not (head.split()[:1] == ["extern"] and "=" not in piece):
            seen, before = found.get(name, (False, set()))
            found[name] = (seen or "static" not in piece.split("(")[0].split(), before | body - {name})
    loose |= words(blank[last:] + " ".join(line for _, line in directives if line not in inner)) | set(LIBRARY.findall(text))
    found = {name: (seen, body | loose) for name, (seen, body) in found.items()} | {"": (False, loose)}
    for _, line in directives:
        if macro := DEFINE.search(line):
            found[macro.group(1)] = (False, words(line))
    if re.search(r"#\s*define \w+_IMPLEMENTATION\b", text): # here a library of headers is compiled for all who include it
        found |= {name: (True, loose) for name in LIBRARY.findall(text)}
    return found


def whole(text):
    """The same of C++ code: every function's name leads to all of the file."""
    all_words = words(LITERAL.sub('""', text))
    return {"": (False, all_words)} | {name: (True, all_words) for name in re.findall(r"(\w+)\s*\([^;{}]*\)[\w\s]*\{", text)}


class Code:
    """The C and C++ files in folders under `root`: those of the folders that it is told of, and all that they include from."""

    def __init__(self, root, folders):
        self.root, self.folders = root, folders # where an #include "..." is looked for
        self.places, self.texts, self.digests, self.includes, self.closures, self.defined, self.seen = {}, {}, {}, {}, {}, {}, {}

    def file(self, include, of):
        """The project's file that an #include in `of` names; None of a library's or a generated one."""
        key = include, of.parent
        if key not in self.places:
            places = [self.root / folder for folder in self.folders] + [of.parent]
            self.places[key] = next((path for place in places if (path := place / include).is_file()), None)
        return self.places[key]

    def text(self, path):
        """Without comments."""
        if path not in self.texts:
            self.texts[path] = without_comments(path.read_text(encoding="utf-8"))
        return self.texts[path]

    def digest(self, path):
        if path not in self.digests:
            self.digests[path] = hashlib.sha256(self.text(path).encode()).hexdigest()
        return self.digests[path]

    def directly(self, path):
        if path not in self.includes:
            found = (self.file(name, path) for name in INCLUDE.findall(self.text(path)))
            self.includes[path] = [file for file in dict.fromkeys(found) if file]
        return self.includes[path]

    def included(self, *paths):
        """Files, and all of the project's that they include."""
        if paths not in self.closures:
            known, waiting = set(paths), list(paths)
            for file in waiting:
                new = [other for other in self.directly(file) if other not in known]
                known.update(new)
                waiting += new
            self.closures[paths] = known
        return self.closures[paths]

    def forget(self, path):
        """Its text has changed, but not what it includes and defines."""
        self.texts.pop(path, None)
        self.digests.pop(path, None)

    def learn(self, *folders):
        waiting = [self.root / folder for folder in folders]
        for folder in waiting:
            for path in sorted(folder.iterdir()):
                if path.suffix not in SOURCES + HEADERS or path in self.defined:
                    continue
                self.defined[path] = (definitions if path.suffix in (".c", ".h") else whole)(self.text(path))
                for name, (seen, _) in self.defined[path].items():
                    if seen or path.suffix in HEADERS:
                        self.seen.setdefault(name, []).append(path)
                waiting += dict.fromkeys(other.parent for other in self.directly(path) if other.parent not in waiting)

    def matching(self, pattern):
        """The files that a pattern finds: an error if there are none."""
        found = [path for path in sorted(self.root.glob(pattern)) if path.suffix in SOURCES + HEADERS]
        if not found:
            raise SystemExit(f"{pattern} matches no source: fix scripts/source-hashes")
        return found

    def holders(self, name):
        if name not in self.seen:
            raise SystemExit(f"no source defines {name}: fix scripts/source-hashes")
        return self.seen[name]

    def reach(self, within, files=(), names=(), stop=()):
        """The sources that hold `names`, all of `files`, and what these come to call: of the files `within`, and but for what is named
        in `stop`."""
        for name in stop:
            self.holders(name)
        waiting = [(path, name) for path in files for name in self.defined[path]]
        waiting += [(path, name) for name in names for path in self.holders(name) if path in within]
        known = set(waiting)
        for path, name in waiting:
            for word in self.defined[path][name][1]:
                if word in stop:
                    continue
                for place in [path] if word in self.defined[path] else self.seen.get(word, ()):
                    if (place, word) not in known and place in within:
                        known.add((place, word))
                        waiting.append((place, word))
        return sorted({path for path, _ in known if path.suffix in SOURCES})
