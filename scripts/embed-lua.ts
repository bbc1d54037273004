import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedLua, embeddedLuaFile } from '../test/support/embedded-lua.ts';
import { root } from '../test/support/repository.ts';

writeFileSync(join(root, embeddedLuaFile), await embeddedLua());
console.log(embeddedLuaFile);
