"""The pages of the rules as Markdown: one page, all of them as a folder, and the documents that they name."""
