/** Files that count as inputs of the image. */
import { expect, test } from 'vitest'
import { ignoreRules } from './image.mjs'

test('.dockerignore excludes paths and names at any depth, except those of a later exception', () => {
  const ignored = ignoreRules('# notes\n.git\n.env.*\n**/node_modules\n**/*.test.ts\ne2e\n!e2e/package.json\n')
  const paths = [
    '.git/HEAD',
    '.env.local',
    'node_modules/a.js',
    'packages/a/node_modules/b',
    'bin/a.test.ts',
    'e2e/a.ts',
  ]
  expect(paths.filter((path) => !ignored(path))).toEqual([])
  const kept = ['.gitignore', 'e2e/package.json', 'bin/test.mjs', 'packages/a/src/node_modules.ts', 'package.json']
  expect(kept.filter(ignored)).toEqual([])
})
