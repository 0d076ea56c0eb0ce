/** Checks every shipped object against the types (misspelt fields) and schemas (wrong values) of Kubernetes. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectsOf } from '../../helm/render.js'
import { type AnySpec, type KubeObject, mark, OVERLAYS, root, textOf } from './rendered.js'

const exec = promisify(execFile)
const here = createRequire(import.meta.url)

/** Kinds of custom resources, which kubernetes-models does not contain. */
const added = ['HTTPRoute', 'PodMonitor', 'PrometheusRule', 'Cluster', 'Kustomization']
const known = (object: KubeObject): boolean => !added.includes(object.kind)

const stores = fileURLToPath(new URL('k8s/stores/', root))
const manifests = (await readdir(stores)).filter((name) => name.endsWith('.yaml'))
const sources: [name: string, read: () => Promise<string>][] = [
  ...OVERLAYS.map(
    (name) => [`${mark}k8s/rendered/${name}.yaml`, () => textOf(name)] as [string, () => Promise<string>],
  ),
  ...manifests.map(
    (name) => [`k8s/stores/${name}`, () => readFile(join(stores, name), 'utf8')] as [string, () => Promise<string>],
  ),
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-kinds-'))
  const models = dirname(here.resolve('kubernetes-models/package.json'))
  await symlink(dirname(models), join(folder, 'node_modules'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Compiler errors about these objects as values of their types; empty without errors. */
const complaints = async (objects: readonly KubeObject[]): Promise<string> => {
  const lines = objects.map(
    (object, i) =>
      `import type { I${object.kind} as K${i} } from "kubernetes-models/${object.apiVersion}/${object.kind}"\n` +
      `export const d${i}: K${i} = ${JSON.stringify(object)}`,
  )
  const name = `objects-${Math.random().toString(36).slice(2)}.ts`
  await writeFile(join(folder, name), lines.join('\n'))
  const tsc = fileURLToPath(new URL('node_modules/.bin/tsc', root))
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', name]
  return exec(tsc, flags, { cwd: folder }).then(
    () => '',
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  )
}

/** Validates formats, ranges and required fields of an object. Rejects if they are wrong. */
const validate = async (object: KubeObject): Promise<void> => {
  const model = (await import(`kubernetes-models/${object.apiVersion}/${object.kind}`)) as AnySpec
  new model[object.kind](object).validate()
}

const sample = (ports: object): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [ports] } }) as KubeObject

describe('the checks themselves', () => {
  test('a misspelt field is found', async () => {
    expect(await complaints([sample({ port: 80 })])).toBe('')
    expect(await complaints([sample({ port: 80, tragetPort: 1 })])).toContain('tragetPort')
  })

  test('a wrong value is found', async () => {
    await validate(sample({ port: 80 }))
    await expect(validate(sample({ port: 'eighty' }))).rejects.toThrow(/port/)
  })
})

/** Values of every field with this name, at any depth. */
const valuesOf = (tree: unknown, field: string): unknown[] =>
  typeof tree === 'object' && tree !== null
    ? Object.entries(tree).flatMap(([name, value]) => (name === field ? [value] : valuesOf(value, field)))
    : []

describe.each(sources)('%s', (name, read) => {
  test('file modes are 0440 for a reader of YAML 1.1 and of YAML 1.2', async () => {
    const text = await read()
    expect(text).not.toMatch(/: 0\d+\s*[,}\n#]/)
    const modes = objectsOf(text).flatMap((object) => valuesOf(object, 'defaultMode'))
    expect(modes.filter((mode) => mode !== 0o440)).toEqual([])
    expect(name.includes('rendered') && modes.length < 20).toBe(false)
  })

  test('has no unknown field, and no invalid value', async () => {
    const objects = objectsOf(await read())
    expect(objects.length).toBeGreaterThan(0)
    expect(await complaints(objects.filter(known))).toBe('')
    for (const object of objects.filter(known)) await validate(object)
    expect(name.includes('rendered') && objects.filter(known).length < 80).toBe(false)
  })
})
