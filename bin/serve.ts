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

// What reading a thousand modules leaves behind goes back to the system before the first request: an idle process would
// hold it for hours, some 40 MiB in each. What is left is so little that the usual growth would have it collected again and
// again under load; so it may grow to four times what lives before it is.
setFlagsFromString('--heap-growing-percent=300')
setFlagsFromString('--expose-gc')
const collect: typeof gc = runInNewContext('gc')
collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
