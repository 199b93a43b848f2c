"""The editor in a browser: its module in an empty page, and the widget in JupyterLab."""
