/** The exports of this module for other modules: access to streams. */
export { allowedChannel, authenticate, checkOwner, type Opener, StreamRefusal } from './auth.js'
