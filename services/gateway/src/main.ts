/** The gateway service, ready to run. */
import { type App, service } from '@murmuration/kernel'

export const app: App = { manifest: service('gateway', { database: false, roles: {} }), createContext: (base) => base }
