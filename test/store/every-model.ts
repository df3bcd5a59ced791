/** All models of the program, found in the `models` folders of its domains. */
import { join } from 'node:path';
import type { Model } from '../../src/store/models/finders.js';
import { listFiles, repository } from '../architecture/source-file.js';

export async function everyModel(): Promise<Model[]> {
  const files = listFiles('src', (name) => name.endsWith('.ts')).filter((path) => /^src\/.+\/models\//.test(path));
  const modules = await Promise.all(
    files
      .filter((path) => !path.startsWith('src/store/'))
      .map(async (path): Promise<object> => import(join(repository, path))),
  );
  return modules.flatMap((one) => Object.values(one)).filter(isModel);
}

function isModel(value: unknown): value is Model {
  return typeof value === 'object' && value !== null && 'columnOf' in value;
}
