//! Work that waits or takes long, kept away from the threads that answer requests.

use tracing::Span;

use crate::api::ApiError;

/// Does what waits for the database, the disk or a lock, or draws, on a thread that may wait. What it logs belongs to the request.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let request = Span::current();
    tokio::task::spawn_blocking(move || request.in_scope(work)).await.map_err(ApiError::host)?
}
