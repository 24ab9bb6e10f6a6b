"""An aspect that lints each C++ target as an action, so that Bazel's caches and executors do the rest.

    bazel build //... --aspects=@sycllint//:sycllint.bzl%sycllint_aspect --output_groups=sycllint

Each target of the main repository gets NAME.sycllint.json, a report on its own sources and headers, and
NAME.sycllint.txt, the same to read. The build fails where a target has a finding from `--@sycllint//:fail_on` up; the
output group `sycllint_reports` has the reports alone, and never fails.
"""

_EXTENSIONS = [
    "c", "cc", "cp", "cpp", "cxx", "c++", "cppm", "ixx", "sycl",
    "h", "hh", "hpp", "hxx", "h++", "inc", "inl", "ipp", "tpp", "txx",
]

_Setting = provider("A build setting.", fields = ["value"])

def _setting(ctx):
    return _Setting(value = ctx.build_setting_value)

string_setting = rule(
    implementation = _setting,
    build_setting = config.string(flag = True),
    doc = "A setting with one value.",
)

words_setting = rule(
    implementation = _setting,
    build_setting = config.string_list(flag = True),
    doc = "A setting with several words, with commas between them on the command line.",
)

def _program_on_path(ctx):
    program = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(program, "#!/bin/sh\nexec sycllint \"$@\"\n", is_executable = True)
    return [DefaultInfo(executable = program, files = depset([program]))]

program_on_path = rule(
    implementation = _program_on_path,
    executable = True,
    doc = "The sycllint that is on the PATH of the machine that runs the action.",
)

def _own_files(ctx):
    """The C++ files that the target names itself."""
    found = []
    for name in ["srcs", "hdrs", "textual_hdrs"]:
        for each in getattr(ctx.rule.files, name, []):
            if each.extension.lower() in _EXTENSIONS and each not in found:
                found.append(each)
    return found

def _arguments(ctx, context):
    """What the compiler is given, as far as sycllint asks: macros and folders of headers."""
    words = ["-D" + each for each in context.defines.to_list() + context.local_defines.to_list()]
    for option, folders in [
        ("-I", context.includes),
        ("-iquote", context.quote_includes),
        ("-isystem", context.system_includes),
    ]:
        for folder in folders.to_list():
            words.extend([option, folder])
    given = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + getattr(ctx.rule.attr, "copts", [])
    return words + [each for each in given if "$" not in each]

def _database(ctx, sources, arguments):
    """A compilation database of the target, with paths from the root of execution, wherever that is."""
    database = ctx.actions.declare_file(ctx.label.name + ".sycllint_commands.json")
    root = "/".join([".." for _ in database.dirname.split("/")])
    entries = [
        struct(directory = root, file = each.path, arguments = ["c++"] + arguments + ["-c", each.path])
        for each in sources
    ]
    ctx.actions.write(database, "[" + ",\n".join([each.to_json() for each in entries]) + "]\n")
    return database

def _sycllint_aspect(target, ctx):
    if CcInfo not in target or ctx.label.workspace_name:
        return []
    sources = _own_files(ctx)
    if not sources or "no-sycllint" in ctx.rule.attr.tags:
        return []
    context = target[CcInfo].compilation_context
    database = _database(ctx, sources, _arguments(ctx, context))
    name = ctx.label.name
    report = ctx.actions.declare_file(name + ".sycllint.json")
    text = ctx.actions.declare_file(name + ".sycllint.txt")
    settings = ctx.files._configuration

    arguments = ctx.actions.args()
    arguments.add_all(["check", "--no-cache", "--quiet", "--jobs=1", "--fail-on=never", "-p", database])
    arguments.add_all(settings[:1], before_each = "--config")
    arguments.add_all(ctx.attr._arguments[_Setting].value)
    arguments.add(report, format = "--format=json:%s")
    arguments.add(text, format = "--format=concise:%s")
    arguments.add("--")
    arguments.add_all(sources)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [arguments],
        inputs = depset(sources + [database] + settings, transitive = [context.headers]),
        outputs = [report, text],
        mnemonic = "Sycllint",
        progress_message = "Linting %s" % ctx.label,
        use_default_shell_env = True,
    )

    verdict = ctx.actions.declare_file(name + ".sycllint.ok")
    ctx.actions.run_shell(
        command = '"$1" merge "$2" --fail-on "$3" -o "$5" || { cat "$4"; exit 1; }',
        arguments = [
            ctx.executable._tool.path,
            report.path,
            ctx.attr._fail_on[_Setting].value,
            text.path,
            verdict.path,
        ],
        tools = [ctx.executable._tool],
        inputs = [report, text],
        outputs = [verdict],
        mnemonic = "SycllintVerdict",
        progress_message = "Judging %s" % ctx.label,
        use_default_shell_env = True,
    )
    return [OutputGroupInfo(
        sycllint = depset([report, text, verdict]),
        sycllint_reports = depset([report, text]),
        _validation = depset([verdict]),
    )]

sycllint_aspect = aspect(
    implementation = _sycllint_aspect,
    attr_aspects = ["deps"],
    fragments = ["cpp"],
    attrs = {
        "_tool": attr.label(default = Label("//:tool"), executable = True, cfg = "exec"),
        "_configuration": attr.label(default = Label("//:configuration"), allow_files = True),
        "_arguments": attr.label(default = Label("//:arguments")),
        "_fail_on": attr.label(default = Label("//:fail_on")),
    },
    doc = "Lints each C++ target of the main repository that is not tagged `no-sycllint`.",
)
