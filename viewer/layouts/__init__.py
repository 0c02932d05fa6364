"""How data sets name their files: one row a layout, and token rules for the rest.

layout.py   what a row says and what a file's role is
table.py    the rows
tokens.py   the sequence that a free file name claims
plain.py    folders that follow no layout
"""
