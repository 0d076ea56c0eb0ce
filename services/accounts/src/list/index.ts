/** Names of this module that other modules use. */
export { countLists, insertList, insertMembers, listByTitle, listOfOwner, mayBeMembers } from './store.js'
