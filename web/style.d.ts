/** A style sheet, imported for its effect: the build adds it to the one style sheet of the page. */
declare module '*.css'
