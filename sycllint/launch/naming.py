"""What a compiler may call the kernel of a launch: from its name type, its function object or what is around it."""

from sycllint.cpp.expression import Expr, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Namespace, Struct
from sycllint.facts.file import Declared
from sycllint.facts.submissions import Submission
from sycllint.launch.argument_lists import ArgumentLists
from sycllint.launch.names import Argument, Arguments, Component, Naming
from sycllint.launch.submission.callable import KernelFunction
from sycllint.launch.submission.recognition import COMPATIBLE, WRAPPED
from sycllint.symbols.spelling import components
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import Scalar
from sycllint.values.deduction.instances import MAX_ALIASES
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Desugared, Frame, Point, Used
from sycllint.values.types import as_type
from sycllint.values.value import known


def namings(
    evaluator: Evaluator, submission: Submission, kernel: KernelFunction | None, point: Point, frame: Frame | None
) -> tuple[Naming, ...]:
    """What the kernel may be called where ``frame`` reaches the launch; nothing where it is another in each way.

    Which ways there are to the launch is not for its name to say: what is unknown of the name is asked of no caller.
    """
    free, evaluator.free = evaluator.free, dict(evaluator.free)
    way, evaluator.frame = evaluator.frame, frame
    try:
        return _Names(evaluator).of(submission, kernel, point)
    finally:
        evaluator.free, evaluator.frame = free, way


class _Names:
    """Names of one way to one launch."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._lists = ArgumentLists(evaluator, self._argument)

    def of(self, submission: Submission, kernel: KernelFunction | None, point: Point) -> tuple[Naming, ...]:
        if submission.method in (COMPATIBLE, WRAPPED):
            # It is made from a class of the library's, by the library's own way.
            return ()
        written = _name_type(submission)
        if written is not None:
            used = self._evaluator.instances.used(written, point)
            return () if used is None else self._of_type(used)
        if kernel is not None and kernel.instance is not None:
            return (self._of_object(kernel.instance.struct, kernel.instance.bound),)
        return (self._from((), point, self._evaluator.frame),)

    def _of_object(self, struct: Declared[Struct], frame: Frame | None) -> Naming:
        outer = struct.place.outer
        scope = () if outer is None else self._scope(outer, frame)
        around = _function_around(struct.place)
        function = None if around is None else self._function(around, None)
        if not struct.node.name:
            return Naming((), scope, function=function)
        return Naming((Component(struct.node.name, self._lists.around(struct, frame)),), scope, True, function)

    def _of_type(self, used: Used) -> tuple[Naming, ...]:
        """A name that is looked up where it is written, also through using declarations."""
        found = [self._from(self._written(used), used.point, used.frame)]
        if used.name.scope is None and "::" not in used.name.text:
            (last,) = found[0].written
            for each in self._evaluator.symbols.unit.introduced.get(used.name.text):
                scope = self._scope(each.place, None)
                if scope == found[0].scope[: len(scope)]:
                    qualifier = components(each.node.name)[:-1]
                    found.append(Naming((*map(Component, qualifier), last), scope, using=found[0].using))
        return tuple(found)

    def _written(self, used: Used) -> tuple[Component, ...]:
        name = used.name
        *qualifier, last = components(name.text)
        around: tuple[Component, ...] = ()
        if name.scope is not None:
            around = self._written(Used(name.scope, used.point, used.frame))
        elif qualifier and qualifier[0]:
            # A namespace by another name.
            target = self._evaluator.facts.namespaces.get(qualifier[0])
            qualifier[:1] = components(target) if target is not None else qualifier[:1]
        return (*around, *map(Component, qualifier), Component(last, self._lists.of_name(used)))

    def _from(self, written: tuple[Component, ...], point: Point, frame: Frame | None) -> Naming:
        """A name that is looked up from ``point``, or may be made there."""
        function = _function_around(point.place)
        return Naming(
            written,
            self._scope(point.place, frame),
            function=None if function is None else self._function(function, frame),
            using=self._evaluator.facts.using,
        )

    def _scope(self, place: Place, frame: Frame | None) -> tuple[Component, ...]:
        """The namespaces and classes around a place, outermost first, anonymous ones left out."""
        found: list[Component] = []
        current: Place | None = place
        while current is not None:
            node = current.node
            if isinstance(node, Namespace | Struct) and node.name and node.name != "extern":
                found.append(Component(node.name, self._instance(node, current, frame)))
            elif isinstance(node, Function) and "::" in node.name:
                *outer, last = components(node.name)[:-1]
                arguments = self._lists.given(node, frame, 0, self._of_class(current))
                found += [Component(last, arguments), *(Component(each) for each in reversed(outer))]
            current = current.outer
        return tuple(reversed(found))

    def _instance(self, node: Namespace | Struct, place: Place, frame: Frame | None) -> Arguments | None:
        return self._lists.around(Declared(node, place), frame) if isinstance(node, Struct) else None

    def _of_class(self, place: Place) -> int:
        """How many template parameters of a function outside its class are those of the class."""
        scope = self._evaluator.symbols.scopes.at(place)
        struct = self._evaluator.symbols.definition(scope)
        return 0 if struct is None else len(struct.node.template_parameters)

    def _function(self, function: Declared[Function], frame: Frame | None) -> Component:
        """A function with its template arguments in one way to it."""
        *around, last = components(function.node.name)
        first = self._of_class(function.place) if around else 0
        return Component(last, self._lists.given(function.node, frame, first))

    def _argument(self, written: Expr, point: Point, frame: Frame | None) -> Argument:
        """A type where it is one, else a number; a name alone may be either, and is a type where it has no value."""
        way, self._evaluator.frame = self._evaluator.frame, frame
        try:
            if isinstance(written, Type):
                return self._type(written, point)
            value = self._evaluator.evaluate(written, point)
            number = known(value.value) if isinstance(value, Scalar) else None
            if number is not None:
                return Argument(number=number)
            kind = as_type(written)
            return self._type(kind, point) if kind is not None else Argument()
        finally:
            self._evaluator.frame = way

    def _type(self, written: Type, point: Point) -> Argument:
        evaluator = self._evaluator
        ends: list[str] = []
        for _ in range(MAX_ALIASES):
            if written.extents:
                return Argument()
            ends.append(_declarators(written))
            if not written.name.is_plain:
                break
            step = evaluator.names.stands_for(written.name, point, evaluator.frame)
            if isinstance(step, Desugared):
                if step.unbound or step.others:
                    return Argument()
                break
            written, point, evaluator.frame = step
        used = evaluator.instances.used(written.name, point)
        if used is None or template_parameter(components(used.name.text)[0], used.point.place) is not None:
            return Argument()
        return Argument(None, used.name.text, self._of_type(used), "".join(reversed(ends)))


def _function_around(place: Place) -> Declared[Function] | None:
    """The outermost function around a place."""
    found: Declared[Function] | None = None
    current: Place | None = place
    while current is not None:
        if isinstance(current.node, Function):
            found = Declared(current.node, current)
        current = current.outer
    return found


def _declarators(written: Type) -> str:
    return (" const" if written.constant else "") + "*" * written.pointers + ("&" if written.reference else "")


def _name_type(submission: Submission) -> Name | None:
    for argument in submission.template_arguments:
        name = argument.name if isinstance(argument, Type) else argument
        if isinstance(name, Name) and name.text:
            return name
    return None
