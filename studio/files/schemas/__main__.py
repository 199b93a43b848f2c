"""Write the JSON Schemas anew."""

from __future__ import annotations

from studio.files.schemas import write_schemas

if __name__ == "__main__":
    for path in write_schemas():
        print(path)
