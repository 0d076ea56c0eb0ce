/** Problems that the check of modules finds, and code that it accepts. */
import { expect, test } from 'vitest'
import { isEntryPoint, moduleOf, moduleProblems } from './modules.js'

const at = (path: string, text: string) => ({ path: `services/admin/src/${path}`, text: `/** A file. */\n${text}` })

test('files outside of folders, and the edge of the gateway, are in no module', () => {
  expect(moduleOf('services/gateway/src/edge/router.ts')).toBeNull()
  expect(moduleOf('services/admin/src/context.ts')).toBeNull()
  expect(moduleOf('services/admin/src/ip-block/store.ts')).toEqual({
    service: 'admin',
    noun: 'ip-block',
    kind: 'store',
  })
  expect(moduleOf('services/admin/src/feeds/home.store.ts')?.kind).toBe('store')
})

test('handlers are entry points, and their tests are not', () => {
  expect(isEntryPoint('services/admin/src/tag/operations.ts')).toBe(true)
  expect(isEntryPoint('services/admin/src/tag/review.operation.ts')).toBe(true)
  expect(isEntryPoint('services/admin/src/tag/ticks.ts')).toBe(true)
  expect(isEntryPoint('services/admin/src/tag/rules.ts')).toBe(false)
  expect(isEntryPoint('services/admin/src/tag/operations.test.ts')).toBe(false)
})

test('a module in the intended form has no problems', () => {
  expect(
    moduleProblems([
      at(
        'tag/operations.ts',
        "import { tagList } from '@murmuration/contracts/admin'\nimport { page } from './store.js'",
      ),
      at('tag/rules.ts', "import { z } from 'zod'\nimport type { TagRow } from './store.js'"),
      at('tag/view.ts', "import { nameOf } from './rules.js'"),
      at('tag/index.ts', "export { nameOf } from './rules.js'"),
      at(
        'trend/operations.ts',
        "import { nameOf } from '../tag/index.js'\nimport { moderated } from '../core/view.js'",
      ),
      at('entry-points.ts', "import * as tag from './tag/operations.js'"),
    ]),
  ).toEqual([])
})

test.each([
  ['a file of another module', 'trend/operations.ts', "import { page } from '../tag/store.js'", /through index/],
  ['an entry point', 'tag/reactions.ts', "import { list } from './operations.js'", /entry point/],
  ['a store in rules', 'tag/rules.ts', "import { page } from './store.js'", /no IO/],
  ['the database in a view', 'tag/view.ts', "import { sql } from '@murmuration/db'", /no IO/],
  ['a module in core', 'core/view.ts', "import { nameOf } from '../tag/index.js'", /core imports no module/],
  ['a module in an older folder', 'store/rule.ts', "import { page } from '../tag/store.js'", /through index/],
])('the check refuses %s', (_, path, text, words) => {
  expect(moduleProblems([at(path, text)]).join('\n')).toMatch(words)
})

test('the check refuses modules that import each other', () => {
  const problems = moduleProblems([
    at('tag/operations.ts', "import { a } from '../trend/index.js'"),
    at('trend/operations.ts', "import { b } from '../tag/index.js'"),
  ])
  expect(problems).toEqual(['modules import each other in a circle: admin/tag → admin/trend → admin/tag'])
})

test('the check refuses folders of the edge and of pages that import each other', () => {
  const gateway = (path: string, ...targets: string[]) => ({
    path: `services/gateway/src/${path}`,
    text: targets.map((target) => `import { a } from '${target}'`).join('\n'),
  })
  expect(
    moduleProblems([
      gateway('edge/serve.ts', './call/call-owner.js'),
      gateway('edge/call/call-owner.ts', '../idempotency.js'),
      gateway('pages/admin/tags.ts', '../home/page.js'),
      gateway('pages/home/page.ts', '../admin/frame.js'),
    ]),
  ).toEqual([
    'modules import each other in a circle: gateway/edge → gateway/edge/call → gateway/edge',
    'modules import each other in a circle: gateway/pages/admin → gateway/pages/home → gateway/pages/admin',
  ])
  expect(
    moduleProblems([
      gateway('edge/serve.ts', './call/call-owner.js', './locale.js'),
      gateway('edge/call/call-owner.ts', './idempotency.js', '../response/answer.js'),
      gateway('pages/home/page.ts', '../core/layout.js'),
    ]),
  ).toEqual([])
})

test('the check refuses an index with more than twelve names', () => {
  const names = Array.from({ length: 13 }, (_, i) => `a${i}`).join(', ')
  expect(moduleProblems([at('tag/index.ts', `export { ${names} } from './rules.js'`)]).join('\n')).toMatch(/12 names/)
})

test('shared files of pages import no topic', () => {
  const page = (path: string, target: string) => ({
    path: `services/gateway/src/pages/${path}`,
    text: `/** A file. */\nimport { a } from '${target}'`,
  })
  expect(moduleProblems([page('core/layout.ts', '../admin/frame.js')])).toEqual([
    'services/gateway/src/pages/core/layout.ts imports ../admin/frame.js: pages/core imports no topic of pages',
  ])
  expect(
    moduleProblems([
      page('core/layout.ts', './html.js'),
      page('admin/frame.ts', '../core/layout.js'),
      page('index.ts', './admin/index.js'),
    ]),
  ).toEqual([])
})
