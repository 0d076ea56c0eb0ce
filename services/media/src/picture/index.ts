/** Names of this module that other modules use. */
export { pictureAddress } from './view.js'
