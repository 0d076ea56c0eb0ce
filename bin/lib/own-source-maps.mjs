/** Stack traces name lines of our own sources; the maps of packages would only stand in memory, some 15 MiB in each process. */
import { setSourceMapsSupport } from 'node:module'

setSourceMapsSupport(true, { nodeModules: false, generatedCode: false })
