# SPDX-License-Identifier: MIT
"""The command line of scripts/convert-pbrt."""
import argparse
import pathlib
import sys

from parse import Reader, SceneError
from write import write_scene

DESCRIPTION = """\
Converts a scene in pbrt's text format for warpstudy: FOLDER/scene.yaml, one mesh per material, textures and environment.
Give the scene file's path wherever a scene is named, or put FOLDER where the message of a scene that needs it says.
Render it with materials: tree.
What pbrt knows and warpstudy does not is an error with file and line that says what to do; --leave-out goes on without
it and lists what was left out. docs/scenes.md says how materials and lights are taken over."""


def run(file, folder, title, leave_out):
    reader = Reader(leave_out)
    reader.read(file)
    for problem in reader.problems:
        print(f"{'left out: ' if leave_out else 'convert-pbrt: '}{problem}", file=sys.stderr)
    if reader.problems and not leave_out:
        print("  nothing was written; --leave-out converts the rest", file=sys.stderr)
        return 2
    try:
        triangles, materials = write_scene(reader, folder, title)
    finally:  # notes say why nothing is left, too
        for note, count in sorted(reader.notes.items()):
            print(f"note: {note}{f' ({count} times)' if count > 1 else ''}")
    print(f"{folder / 'scene.yaml'}: {triangles} triangles, {materials} materials")
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="convert-pbrt", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE.pbrt", type=pathlib.Path)
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--title", help="default: the name of the file's folder")
    parser.add_argument("--leave-out", action="store_true", help="go on without what is unknown or missing")
    options = parser.parse_args(arguments)
    try:
        return run(options.file, options.folder, options.title or options.file.resolve().parent.name, options.leave_out)
    except OSError as problem:
        print(f"convert-pbrt: {problem.filename}: {problem.strerror}\n  name a scene's main .pbrt file, and a folder that can be written", file=sys.stderr)
        return 2
    except SceneError as problem:
        print(f"convert-pbrt: {problem}", file=sys.stderr)
        return 2
