//! Learnt models: how they were learnt, where they are, and a picture that shows when they were put there.

use std::path::Path;

use super::{Copy, bare::lines, source::sources};

/// How files of weights end.
const WEIGHTS: [&str; 11] = ["pt", "pth", "onnx", "h5", "hdf5", "npz", "npy", "safetensors", "ckpt", "keras", "tflite"];
/// What a program says that loads or runs a model.
const MODELS: [&str; 6] =
    ["torch.load", "load_state_dict", "import torch", "from torch", "torch/script.h", "onnxruntime"];
/// How programs end that learn.
const CODE: [&str; 7] = ["py", "ipynb", "cpp", "cc", "h", "hpp", "sh"];
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "webp", "pdf"];

pub(super) fn missing(copy: &Copy<'_>, report: &str) -> Option<String> {
    let ending = |file: &str| Path::new(file).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is = |file: &str, endings: &[&str]| ending(file).is_some_and(|ending| endings.contains(&ending.as_str()));
    let weights = copy.files.iter().find(|file| is(file, &WEIGHTS));
    let says = |text: &str, language| {
        let mut lines = lines(text, language).into_iter();
        lines.any(|line| MODELS.iter().any(|sign| line.code.contains(sign)))
    };
    let model = sources(copy).find(|(_, language, text)| says(text, *language)).map(|(file, ..)| file.to_owned());
    let sign = weights.cloned().or(model)?;
    let mut missing = Vec::new();
    if !copy.files.iter().any(|file| is(file, &CODE) && trains(file)) {
        missing.push("no training code: no source has a name that begins with 'train'".to_owned());
    }
    let text = copy.text(report).unwrap_or_default();
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if !last.contains("https://") && !last.contains("http://") {
        missing.push(format!("the last line of {report} has no link to the model"));
    }
    if !copy.files.iter().any(|file| is(file, &PICTURES)) {
        missing.push("no screenshot that shows when the model was put there".to_owned());
    }
    (!missing.is_empty()).then(|| format!("{sign} is of a learnt model, but: {}", missing.join("; ")))
}

/// Whether a word of a path begins with it: `src/train_net.py`, `training/loop.py`, not `constraints.py`.
fn trains(file: &str) -> bool {
    file.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).any(|word| word.starts_with("train"))
}
