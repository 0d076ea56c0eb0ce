/** The streaming service, ready to run. */
import { type App, service } from '@murmuration/kernel'

export const app: App = {
  manifest: service('streaming', { database: false, roles: {} }),
  createContext: (base) => base,
}
