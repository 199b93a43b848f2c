// The windows over the editor, which few open: the name of the file, and the list of keys.

import { helpWindow } from "./help.js";
import { savingWindow } from "./saving.js";

export const windows = { help: helpWindow, saving: savingWindow };
