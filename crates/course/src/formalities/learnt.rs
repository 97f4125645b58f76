//! Learnt models: how they were learnt, where they are, and a picture that shows when they were put there.

use std::path::Path;

use super::Copy;

/// How files of weights end.
const WEIGHTS: [&str; 9] = ["pt", "pth", "onnx", "h5", "hdf5", "npz", "npy", "safetensors", "ckpt"];
/// What a program says that loads or runs a model.
const MODELS: [&str; 6] =
    ["torch.load", "load_state_dict", "import torch", "from torch", "torch/script.h", "onnxruntime"];
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "webp", "pdf"];

pub(super) fn missing(copy: &Copy<'_>, report: &str) -> Option<String> {
    let ending = |file: &str| Path::new(file).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is = |file: &str, endings: &[&str]| ending(file).is_some_and(|ending| endings.contains(&ending.as_str()));
    let weights = copy.files.iter().find(|file| is(file, &WEIGHTS));
    let sources = || copy.files.iter().filter(|file| is(file, &["py", "cpp", "cc", "h", "hpp"]));
    let model =
        sources().find(|file| copy.text(file).is_some_and(|text| MODELS.iter().any(|sign| text.contains(sign))));
    let sign = weights.or(model)?;
    let mut missing = Vec::new();
    if !copy.files.iter().any(|file| file.to_lowercase().contains("train")) {
        missing.push("no training code: no file has 'train' in its name".to_owned());
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
