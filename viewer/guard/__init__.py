"""Who may talk to the running application, and what its answers may do in a browser.

visitors.py      Host and Origin: no page of another site may ask, by whatever name
login.py         one user name and password, before every address
addresses.py     which of Gradio's own addresses the page needs; the others are closed
policy.py        the content security policy and the other headers
middleware.py    all of it around the application
command_line.py  the settings
scratch.py       temporary files that end with the process, or at the next start
"""
