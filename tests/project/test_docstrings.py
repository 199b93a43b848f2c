"""Every public function says what it raises."""

import ast
import re
from collections.abc import Iterator

from tests.project.tree import modules

Function = ast.FunctionDef | ast.AsyncFunctionDef

# A promise to the reader of the code, not to the caller: nothing that a caller could handle.
NOT_FOR_CALLERS = {"AssertionError", "NotImplementedError"}

RAISES = re.compile(r"^\s*Raises\n\s*-{6}\n(?P<body>(?:.*\n?)*?)(?=^\s*\w[\w ]*\n\s*-{3,}\n|\Z)", re.MULTILINE)


def declared(tree: ast.Module) -> set[str] | None:
    """Return the names in __all__, or None where a module has none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "__all__" for to in node.targets):
            return {part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)}
    return None


def public_functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield the public functions, and the public methods of the public classes, of a module."""
    names = declared(tree)
    for node in tree.body:
        name = getattr(node, "name", "_")
        if name.startswith("_") or (names is not None and name not in names):
            continue
        if isinstance(node, Function):
            yield name, node
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, Function) and not method.name.startswith("_"):
                    yield f"{name}.{method.name}", method


def raised(function: Function) -> Iterator[str]:
    """Yield the name of each exception that a function raises itself; '' where only running it would tell."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue  # what an inner function raises is raised where that is called
        if isinstance(node, ast.Raise) and node.exc is not None:
            called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = ast.unparse(called).rpartition(".")[2]
            yield name if name[:1].isupper() else ""
        pending += ast.iter_child_nodes(node)


def faults(module: str, tree: ast.Module) -> Iterator[str]:
    """Yield a line for every exception that a public function raises and does not document."""
    for name, function in public_functions(tree):
        section = RAISES.search(re.sub(r"(?m)^[ \t]+$", "", ast.get_docstring(function) or "") + "\n")
        for exception in sorted(set(raised(function)) - NOT_FOR_CALLERS):
            if section is None:
                yield f"{module}:{function.lineno}: {name} raises {exception or 'something'}; it has no Raises section"
            elif exception and not re.search(rf"\b{exception}\b", section["body"]):
                yield f"{module}:{function.lineno}: {name} raises {exception}; its Raises section does not name it"


def test_raises_are_documented():
    found = [
        line
        for module, tree in modules()
        if not any(part.startswith("_") for part in module.split("."))
        for line in faults(module, tree)
    ]
    assert not found, "\n".join(found)


def test_the_rule_itself():
    source = '''
def told(x):
    """Do.

    Raises
    ------
    KeyError
        Always.

    Notes
    -----
    No ValueError.
    """
    def inner():
        raise TypeError
    raise KeyError(x)

def wrong(x):
    """Do.

    Raises
    ------
    KeyError
        Sometimes.

    Notes
    -----
    No ValueError.
    """
    raise ValueError(x)

def silent(x):
    """Do."""
    try:
        raise errors.MapError(x)
    except KeyError:
        raise

class Thing:
    def method(self):
        raise make(self)
    def abstract(self):
        raise NotImplementedError
    def _own(self):
        raise ValueError

def _private():
    raise ValueError
'''
    assert [line.split(": ", 1)[1] for line in faults("m", ast.parse(source))] == [
        "wrong raises ValueError; its Raises section does not name it",
        "silent raises MapError; it has no Raises section",
        "Thing.method raises something; it has no Raises section",
    ]
