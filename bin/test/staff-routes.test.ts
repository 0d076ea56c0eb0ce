/** The page about administration by API names every route of staff below our own prefix, with its method and permission. */
import { readFileSync } from 'node:fs'
import { STAFF_PREFIX } from '@murmuration/contracts/admin'
import { PERMISSION_NAMES } from '@murmuration/contracts/permissions'
import { routedOperations } from '@murmuration/contracts/registry'
import { expect, test } from 'vitest'

interface Row {
  paths: string[]
  methods: string[]
  permissions: string[]
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].toSorted()
/** Texts in backticks outside of parentheses, which contain parameters. */
const codesIn = (cell: string): string[] =>
  [...cell.replace(/\([^)]*\)/g, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

const page = readFileSync(new URL('../../docs/how-to/administer-by-api.md', import.meta.url), 'utf8')
const rows: Row[] = [...page.matchAll(/^\| (`.+`.*) \| ([A-Z, ]+) \| (.+) \|$/gm)].map(
  ([, paths = '', methods = '', permissions = '']) => ({
    paths: codesIn(paths),
    methods: methods.split(', ').toSorted(),
    permissions: unique(codesIn(permissions)),
  }),
)
const named = rows.flatMap(({ paths }) => paths)

/** Tasks have the same routes in several services. */
const shortOf = (path: string): string =>
  path.slice(STAFF_PREFIX.length + 1).replace(/^tasks\/(?:accounts|admin|federation|media)/, 'tasks/:service')
const routes = routedOperations().flatMap(({ http, viewer: { permission } }) =>
  http
    // A PUT route has a PATCH route beside it.
    .filter(({ method, path }) => path.startsWith(`${STAFF_PREFIX}/`) && method !== 'PATCH')
    .map(({ method, path }) => ({ method, path: shortOf(path), permissions: (permission ?? '').split('|') })),
)
const of = ({ paths }: Row) => routes.filter(({ path }) => paths.includes(path))

test('each route is on the page once, and the page names no other', () => {
  expect(unique(routes.map(({ path }) => path)).filter((path) => !named.includes(path))).toEqual([])
  expect(named.filter((path, i) => named.indexOf(path) !== i || !routes.some((one) => one.path === path))).toEqual([])
  expect(rows.length).toBeGreaterThan(30)
})

test('each row names the methods of its routes', () => {
  expect(rows.map(({ paths, methods }) => [paths, methods])).toEqual(
    rows.map((row) => [row.paths, unique(of(row).map(({ method }) => method))]),
  )
})

test('each row names the permissions of its routes', () => {
  const known = new Set<string>(PERMISSION_NAMES)
  expect(rows.flatMap(({ permissions }) => permissions).filter((name) => !known.has(name))).toEqual([])
  expect(rows.map(({ paths, permissions }) => [paths, permissions])).toEqual(
    rows.map((row) => [row.paths, unique(of(row).flatMap(({ permissions }) => permissions))]),
  )
})
