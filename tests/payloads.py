"""Texts that would do something if anybody ran them instead of showing them.

Each carries `MARK`, and whatever it would make carries it too: an element, a request, a dialog
or a change of the title can so be told.
"""

from __future__ import annotations

MARK = "xq7"

SCRIPTS = (
    f"<script>document.title='{MARK}'</script>",
    f"<script>alert('{MARK}')</script>",
    f"<ScRiPt>alert('{MARK}')</sCrIpT>",
    f"</script><script>document.title='{MARK}'</script>",
    f"<img src=x onerror=\"document.title='{MARK}'\">",
    f"<img src='/{MARK}.png'>",
    f"<img src=https://{MARK}.example/p.png>",
    f"<svg onload=\"document.title='{MARK}'\"><circle id={MARK}></svg>",
    f"<svg><script>alert('{MARK}')</script></svg>",
    f"<iframe src=\"javascript:alert('{MARK}')\" id={MARK}></iframe>",
    f"<iframe srcdoc=\"<script>parent.document.title='{MARK}'</script>\"></iframe>",
    f"<a id={MARK} href=\"javascript:alert('{MARK}')\">press</a>",
    f"<body onload=\"document.title='{MARK}'\">",
    f"<details open ontoggle=\"document.title='{MARK}'\"><b id={MARK}>",
    f"<input id={MARK} autofocus onfocus=\"document.title='{MARK}'\">",
    f"<style>body{{background:url(/{MARK}.css)}}</style>",
    f"<link rel=stylesheet href=/{MARK}.css>",
    f'<meta http-equiv=refresh content="0;url=/{MARK}">',
    f"<base href=//{MARK}.example/>",
    f"<form action=/{MARK}><button id={MARK}>send</button></form>",
    f"<object data=/{MARK}.swf></object>",
    f"<video src=/{MARK}.mp4 onerror=\"document.title='{MARK}'\"></video>",
    f"<math><mtext><img src=x onerror=\"document.title='{MARK}'\"></mtext></math>",
    f'"><img src=x onerror="document.title=\'{MARK}\'">',
    f"' onmouseover='document.title=\"{MARK}\"",
    f'" autofocus onfocus="document.title=\'{MARK}\'" x="',
    f"</textarea><img src=x onerror=\"document.title='{MARK}'\">",
    f"</pre></details><b id={MARK}>out</b>",
    f"</title></style><img src=x onerror=\"document.title='{MARK}'\">",
    f"<!--><img src=x onerror=\"document.title='{MARK}'\">-->",
    f"<![CDATA[<script>alert('{MARK}')</script>]]>",
    f"&lt;script&gt;document.title='{MARK}'&lt;/script&gt;",
    f"\\u003cscript\\u003edocument.title='{MARK}'\\u003c/script\\u003e",
)
TEMPLATES = (
    f"{{{{ cycler.__init__.__globals__ }}}}{MARK}",
    f"{{% for x in ().__class__.__base__.__subclasses__() %}}{MARK}{{% endfor %}}",
    f"${{document.title='{MARK}'}}",
    f"{{#if true}}{MARK}{{/if}}{{@html '<b id={MARK}>'}}",
)
MARKDOWN = (
    f"[press](javascript:alert('{MARK}'))",
    f"![p](/{MARK}.png)",
    f'![p](https://{MARK}.example/p.png "t")',
    f"# {MARK}\n\n<b id={MARK}>bold</b>",
    f"```html\n<script>alert('{MARK}')</script>\n```",
    f"$\\href{{javascript:alert('{MARK}')}}{{x}}$",
)
FORMULAS = (
    f'=HYPERLINK("http://{MARK}.example","A")',
    f"=cmd|' /C calc'!A0{MARK}",
    f"+1+1{MARK}",
    f"-2+3{MARK}",
    f"@SUM(1+1){MARK}",
    f"\t=1+1{MARK}",
    f"\u200b=1+1{MARK}",
    f'=IMPORTXML("http://{MARK}.example","//a")',
)
TERMINAL = (
    f"\x1b[2J\x1b[H{MARK}",
    f"\x1b]0;{MARK}\x07",
    f"\x1b]8;;http://{MARK}.example\x1b\\press\x1b]8;;\x1b\\",
    f"\x1b[31m{MARK}\r        ",
    f"\x9b2J{MARK}",
    f"\u202e{MARK}\u202c",
    f"{MARK}\x08\x08\x08",
    f"{MARK}\nskipped /etc/passwd: all good",
)

PAYLOADS: tuple[str, ...] = (*SCRIPTS, *TEMPLATES, *MARKDOWN, *FORMULAS, *TERMINAL)


def as_file_name(payload: str) -> str:
    """The payload as far as a file system takes it."""
    return payload.replace("/", "\u2215").replace("\0", "")[:120]
