/** Runs services in one process: `serve statuses:fanout` one role, `serve statuses:api,reactor` two, `serve accounts statuses` all roles of both. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type HostedApp, runHost } from '@murmuration/kernel'
import { RolesError, servedRoles } from './lib/served-roles.js'
import { loadApp, SERVICES } from './services.js'

// Answers pass through as buffers outside the heap. By default each 64 MB of them mark the whole heap, however small it
// has stayed; counted together with the heap they do so when both have grown.
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

// Loading the modules leaves about 40 MiB of garbage, which an idle process would keep for hours. It is returned to the system before
// the first request. Afterwards the heap may grow to four times what is live, so that load does not cause frequent collections.
setFlagsFromString('--heap-growing-percent=300')
// A test process lives for seconds, and this is a quarter of the processor time of its start.
if (process.env.MODE !== 'test') {
  setFlagsFromString('--expose-gc')
  const collect: typeof gc = runInNewContext('gc')
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
