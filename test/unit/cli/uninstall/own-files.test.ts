import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeData } from '../../../../cli/uninstall/own-files.ts';
import { resolvePaths } from '../../../../runtime/paths.ts';
import { listing } from '../../../support/listing.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('deleting data from the folder of SIGNALBOX_HOME', () => {
  it('knows everything that the table of paths names', () => {
    const home = temporaryFolder();
    const data = join(home, 'signals');
    const paths = resolvePaths({ env: { SIGNALBOX_HOME: data }, platform: 'linux', home });
    mkdirSync(data);
    const { spool, logs, data: _data, config: _config, ...files } = paths;
    for (const folder of [spool, logs]) mkdirSync(folder);
    for (const file of Object.values(files)) writeFileSync(file, '');
    expect(removeData({ paths, home, moved: true })).toEqual([]);
    expect(listing(home)).toEqual([]);
  });

  it('takes what a crash has left half written, and nothing that only looks alike', () => {
    const home = temporaryFolder();
    const put = (name: string) => writeFileSync(join(home, name), '');
    const ours = [
      'signalbox.db-wal',
      'signalbox.db.before-3',
      'signalbox.db.damaged-2026-01-01T00-00-00-wal',
      'hub.json.12.0a1b',
      'hub.lock-journal',
      'digest.key.12.0a1b',
    ];
    const theirs = ['my-signalbox.db', 'signalbox.dbx', 'hub.json.mine', 'config.toml.bak', 'digest'];
    for (const name of [...ours, ...theirs]) put(name);
    // A folder by the name of a file of ours.
    mkdirSync(join(home, 'hub.json'));
    const left = removeData({ paths: { data: home, config: home }, home, moved: true });
    expect(listing(home).map((line) => line.split(' ')[0])).toEqual([...theirs, 'hub.json'].sort());
    expect(left.join()).toContain('Signalbox did not make what else is in it');
  });
});
