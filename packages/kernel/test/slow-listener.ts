/** A process for grace.test.ts: a service whose listener prints the time that it is given to stop, and never stops. */
import { type App, runHost, service } from '../src/index.js'

const app: App = {
  manifest: service('gateway', {
    database: false,
    roles: { client: { http: { port: 3000, surface: 'client' }, scales: 'requests', needs: ['nats'] } },
  }),
  createContext: (base) => base,
  listen: async () => ({
    stop: (ms) => {
      process.stdout.write(`stop ${Math.round(ms)}\n`)
      return new Promise(() => setInterval(() => undefined, 1_000))
    },
  }),
}
await runHost([{ app }])
