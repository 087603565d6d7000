/** The console's icon: a shield with a check mark, drawn for 16 pixels. SVG. */
export const FAVICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#0b6e4f" d="M16 1 4 5.5v9.8C4 22.8 9 28.6 16 31c7-2.4 12-8.2 12-15.7V5.5z"/>
<path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10 16 4.5 4.5L22.5 11"/>
</svg>
`;
