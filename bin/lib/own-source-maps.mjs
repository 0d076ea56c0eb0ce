/** Enables source maps only for this repository. Source maps of npm packages would use about 15 MiB of memory in each process. */
import { setSourceMapsSupport } from 'node:module'

setSourceMapsSupport(true, { nodeModules: false, generatedCode: false })
