/** Names of this module that other modules use. */
export { MOST_REMOTE_PINS, setRemotePins } from './remote.js'
