"""How a project is compiled, as its build files say: macros, folders of headers, devices. Nothing of them is run."""
