/** `npm run gen`: writes all files derived from contracts and manifests, such as reference pages, OpenAPI document and chart roles. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findHelm } from '../helm/find-helm.js'
import { OVERLAYS, overlay, renderChart } from '../helm/render.js'
import { callLists } from './generate/calls.js'
import { entryPointLists } from './generate/entry-points.js'
import { generated } from './generate/index.js'
import { root } from './rules/files.js'
import { LEDGER, landed, migrationDigests } from './rules/migrations.js'
import { loadAll } from './services.js'

const force = process.argv.includes('--relock')
const before = landed()
const edited = Object.entries(migrationDigests()).filter(([path, digest]) => before[path] && before[path] !== digest)
if (edited.length && !force) {
  process.stderr.write(`${edited.map(([path]) => `${path} landed and was edited: write a new migration`).join('\n')}\n`)
  process.exit(1)
}
const write = (files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
// These lists are written before the services are loaded, because the manifests of the services import them.
write({ ...entryPointLists(), ...callLists() })
const files = await generated(await loadAll())
write(files)
const helm = await findHelm()
// The Helm chart is rendered last, because it reads the roles that were just written.
if (helm !== null)
  for (const name of OVERLAYS) {
    const { values, rendered } = overlay(name)
    writeFileSync(rendered, await renderChart(values))
  }
else process.stderr.write('No Helm on this machine: k8s/rendered is left as it is.\n')
process.stdout.write(`${Object.keys(files).length} files written, ${LEDGER} among them\n`)
process.exit(0)
