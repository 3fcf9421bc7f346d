"""Par sheets: a game's mathematics as a document to file, in HTML, PDF and Markdown.

`sheet` gathers the facts, `document` puts them into words and tables, `plots` draws, and `html`, `pdf` and `markdown`
each set the same blocks; `files` writes the result.
"""
