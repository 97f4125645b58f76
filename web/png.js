// Pictures as files that every program opens.

import { h } from "./api.js";

const WIDTH = 1200;

/** Paints an SVG picture on a canvas and hands it out as a file; `box` has its proportions. */
export async function saveAsPng(svg, box, name) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = h("canvas", { width: WIDTH, height: Math.round((WIDTH * box.height) / box.width) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    h("a", { href: URL.createObjectURL(blob), download: name }).click();
  });
}
