/** The redirect page of the test client: posts the code to the window that opened this one. */
const query = new URLSearchParams(location.search)
window.opener.postMessage({ code: query.get('code'), state: query.get('state') }, location.origin)
