/** Enables source maps for this repository only, because those of packages would use about 15 MiB of memory in each process. */
import { setSourceMapsSupport } from 'node:module'

setSourceMapsSupport(true, { nodeModules: false, generatedCode: false })
