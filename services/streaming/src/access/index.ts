/** The exports of this module for other modules: access to streams. */
export { allowedChannel, authenticate, checkOwner, languageOfCaller, type Opener, StreamRefusal } from './auth.js'
