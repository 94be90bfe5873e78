/** A style sheet that is imported for its effect: the build puts it into the one of the page. */
declare module '*.css'
