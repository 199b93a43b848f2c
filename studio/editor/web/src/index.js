// The module that anywidget loads: one store a model, one view an output.

import { View } from "./view.js";
import { dropStore, storeOf } from "./store.js";

export default {
  initialize({ model }) {
    storeOf(model, true);
    return () => dropStore(model);
  },
  render({ model, el }) {
    const view = new View(storeOf(model), el);
    return () => view.close();
  },
};
