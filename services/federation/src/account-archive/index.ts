/** Archives of accounts for other modules. */
export { beginArchive } from './begin.js'
