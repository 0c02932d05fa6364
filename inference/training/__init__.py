"""How the embedded demonstration VLM is made: data, lessons, loop, figures."""
