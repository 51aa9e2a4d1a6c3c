import { brokenAs, type Check, ok } from '../check.ts';

export const folderCheck: Check = {
  name: 'folder',
  run({ paths: { data }, folder }) {
    switch (folder.kind) {
      case 'usable':
        return [ok(data, { path: data })];
      case 'missing':
        return [ok(`${data} is not there yet: the first "signalbox up" makes it`, { path: data })];
      case 'readable':
      case 'unusable':
        return [brokenAs('folder_unusable', { path: data, reason: folder.reason })];
    }
  },
};
