"""Files: opening and saving 100 000 hexes, a journal step, a bundle; and the time that `import studio` takes."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import studio
from studio.files import load_map, write_map_text
from tests.benchmarks.bench_sight import terrain_map
from tests.benchmarks.measure import median, row

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Print the figures."""
    code = "import time; t = time.perf_counter(); import studio; studio.Map; print(time.perf_counter() - t)"
    light = "import time; t = time.perf_counter(); import studio; print(time.perf_counter() - t)"
    for what, program in (("import studio", light), ("import studio, and the first name used", code)):
        command = [sys.executable, "-c", program]
        taken = [float(subprocess.run(command, capture_output=True, cwd=ROOT, check=True).stdout) for _ in range(5)]
        row(what, sorted(taken)[2] * 1000, "ms", "under 350 ms")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.map.json"
        large = terrain_map(400, 250, dense=0.3, hills=0.4)
        rng = np.random.default_rng(2)
        for cell in rng.choice(99_000, 2000, replace=False).tolist():
            other = large.grid.neighbours(cell)[0]
            large.model.sides[min(cell, other), max(cell, other)] = ("fence",)
        large.save(path)
        print(f"100 000 hexes, 2 000 sides, {len(large.features)} features, {path.stat().st_size:,} bytes")
        row("open 100 000 hexes", median(lambda: studio.open_map(path), times=5), "ms", "under 500 ms")
        row("  of it reading and checking the file", median(lambda: load_map(path), times=5), "ms")
        value = median(lambda: large.save(Path(folder) / "copy.map.json", overwrite=True), times=5)
        row("save 100 000 hexes", value, "ms", "under 300 ms")
        row("  of it writing the text", median(lambda: write_map_text(large.model), times=5), "ms")

        opened = studio.open_map(path)
        labels = [opened.labels.label(cell) for cell in range(50_000, 50_100)]
        row("paint 100 hexes, journal and survey included", median(lambda: opened.paint(labels, level=1)), "ms")
        row("undo that", median(opened.undo), "ms")
        opened.close()

        scenario = studio.open_scenario(ROOT / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False)
        target = Path(folder) / "one.bundle.zip"
        row("bundle of 445 hexes, table and preview included", median(lambda: scenario.export(target), times=3), "ms")
        middle = Path(folder) / "middle.map.json"
        terrain_map(50, 40, dense=0.15, hills=0.3).save(middle)
        scenario.map.close()
        map_ = studio.open_map(middle)
        from studio.api import export_bundle

        map_.set("sources", [{"title": "made for the benchmark"}])
        for name in [name for name, feature in map_.features.items() if feature.id.startswith("m")]:
            map_.remove(name)
        value = median(lambda: export_bundle(map_, None, target, sight=False, preview=False), times=3)
        row("bundle of 2 000 hexes without table and preview", value, "ms", "under 1 000 ms")
        value = median(lambda: export_bundle(map_, None, target), times=1, warm=0)
        row("bundle of 2 000 hexes with table and preview", value, "ms")


if __name__ == "__main__":
    main()
