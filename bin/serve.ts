/** Runs services in one process: `serve accounts statuses` with all roles, `serve statuses:fanout,api` with some, `serve statuses fanout` as one deployment. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type HostedApp, runHost } from '@murmuration/kernel'
import { loadApp, SERVICES } from './services.js'

// Answers pass through as buffers outside the heap. By default each 64 MB of them mark the whole heap, however small it
// has stayed; counted together with the heap they do so when both have grown.
setFlagsFromString('--external-memory-accounted-in-global-limit')

const words = process.argv.slice(2)
if (words.length === 0) {
  process.stderr.write(
    `Say what to serve: serve <service>[:role,role] …, or serve <service> <role>. Services: ${SERVICES.join(', ')}.\n`,
  )
  process.exit(1)
}

const [first = '', second] = words
const asked =
  words.length === 2 && second !== undefined && !SERVICES.includes(second.split(':')[0] ?? '')
    ? [`${first}:${second}`]
    : words

const unknown = asked.map((word) => word.split(':')[0] ?? '').find((name) => !SERVICES.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`There is no service "${unknown}"; there are ${SERVICES.join(', ')}.\n`)
  process.exit(1)
}
const hosted = await Promise.all(
  asked.map(async (word): Promise<HostedApp> => {
    const [name = '', roles] = word.split(':')
    return { app: await loadApp(name), ...(roles ? { roles: roles.split(',') } : {}) }
  }),
)
await runHost(hosted)

// What reading a thousand modules leaves behind goes back to the system before the first request: an idle process would
// hold it for hours, some 40 MiB in each. What is left is so little that the usual growth would have it collected again and
// again under load; so it may grow to four times what lives before it is.
setFlagsFromString('--heap-growing-percent=300')
setFlagsFromString('--expose-gc')
const collect: typeof gc = runInNewContext('gc')
collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
