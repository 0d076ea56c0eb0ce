/**
 * Runs roles in one process: `serve statuses:fanout` runs one role, `serve statuses:api,reactor` two, `serve accounts
 * statuses` all roles of both services.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type HostedApp, runHost } from '@murmuration/kernel'
import { RolesError, servedRoles } from './lib/served-roles.js'
import { loadApp, SERVICES } from './services.js'

// Responses are buffers outside of the V8 heap. By default, every 64 MB of them start a collection of the whole heap,
// even if the heap is small. With this flag, they count together with the heap.
setFlagsFromString('--external-memory-accounted-in-global-limit')

const rolesOf = async (service: string) => Object.keys((await loadApp(service)).manifest.roles)
const served = await servedRoles(process.argv.slice(2), SERVICES, rolesOf).catch((error: unknown) => {
  if (!(error instanceof RolesError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
const hosted = await Promise.all(
  served.map(
    async ({ service, roles }): Promise<HostedApp> => ({ app: await loadApp(service), ...(roles && { roles }) }),
  ),
)
await runHost(hosted)

// Loading the modules leaves about 40 MiB of garbage, which an idle process would keep for hours. It is collected
// before the first request. Afterwards the heap may grow to four times its live size, so that collections are rare
// under load.
setFlagsFromString('--heap-growing-percent=300')
// Processes of tests skip this collection. They run for seconds, and the collection takes a quarter of the CPU time of the start.
if (process.env.MODE !== 'test') {
  setFlagsFromString('--expose-gc')
  const collect: typeof gc = runInNewContext('gc')
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
